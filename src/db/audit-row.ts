/** An entry as a request makes it and as it waits in an outbox: a machine's, or the directory's. */
export interface AuditRow {
  /** A UUID. */
  id: string;
  at: number;
  companyId: number;
  userId: number;
  /** The name of a user of another company, or of whoever acted at a paired terminal. Missing in entries of before there were names: those are of users of database 0. */
  userName?: string | null;
  apiTokenId: number | null;
  requestId: string | null;
  action: string;
  objectType: string;
  objectId: string;
  before: object | null;
  after: object | null;
}
