/** A setting that cannot be used; the message names it and the accepted form. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}
