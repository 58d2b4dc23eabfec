/** The service could not be reached, or did not answer in time. Whether it carried out the request is unknown. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
