/** An entry as a request makes it and as it waits in an outbox: a machine's, or the directory's. */
export interface AuditRow {
  /** A UUID. */
  id: string;
  at: number;
  companyId: number;
  userId: number;
  apiTokenId: number | null;
  requestId: string | null;
  action: string;
  objectType: string;
  objectId: string;
  before: object | null;
  after: object | null;
}
