// Input and output of rendering a letter: plain values, so that drafting, previewing and counting missing fields use
// the same ones.

/** The texts of a step or of a one-off letter, as their author wrote them. */
export type LetterSource = { subject: string; text: string; html: string | null };

/** Values by noun; null and empty text alike mean that there is none. Nested only in `company.custom`. */
export type MergeValues = {
  person: Record<string, unknown>;
  company: Record<string, unknown>;
  /** The person's own custom fields. */
  custom: Record<string, unknown>;
  campaign: Record<string, unknown>;
  identity: Record<string, unknown>;
};

/** How a letter says that no one has to get another. `null`: it does not (an answer to someone who wrote). */
export type Unsubscribing = { mode: 'one_click'; url: string } | { mode: 'reply_only' } | null;

export type Surroundings = {
  unsubscribe: Unsubscribing;
  /** Its lines; null where the campaign has none, or the letter needs none. */
  postal_address: string | null;
  /** The identity's; either may be empty. The HTML one is made of the text where it is. */
  signature: { text: string; html: string };
};

export type RenderedLetter = {
  /** One line. Empty where the source has none: a letter in a thread takes its thread's. */
  subject: string;
  text: string;
  html: string;
  /** Fields that were asked for without a fallback and have no value for this person; sorted, each once. */
  unresolved: string[];
  /** Every merge field that the source asks for; sorted, each once. */
  fields_used: string[];
  /** A value brought a line break or another control into the subject: gate 6 holds the letter. */
  unsafe_header: boolean;
  /** Both parts offer the opt-out that `unsubscribe` names. */
  has_unsubscribe: boolean;
  /** Why nothing could be rendered; the texts are empty then. */
  fault: string | null;
};
