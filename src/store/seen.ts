/** Names and VINs seen in answers lately: what autocomplete offers, from memory, without a request. */
export interface Seen {
  /** Usernames that match what was typed (case and colour codes ignored), most likely first, at most 25. */
  players(typed: string): readonly string[];
  /** VINs that match what was typed, with the model's code where it is known. */
  vins(typed: string): readonly { readonly vin: string; readonly type: string | null }[];
}
