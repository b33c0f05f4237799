// Removes from strangers’ text what a person wouldn’t see, before a model reads it.

// Characters that a person does not see or that turn the direction of text (Unicode TR36, TR39): what is ignorable by default
// (zero-width space, soft hyphen, fillers, tags and selectors in which whole messages can be hidden), controls of direction,
// annotations. Joiners and the two selectors of emoji stay: scripts and emoji need them.
const HIDDEN =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]--[\p{Join_Control}\ufe0e-\ufe0f]]/gv;

/** Strangers' text reaches a model without what a person would not see. */
export function visible(text: string): string {
  return text.replace(HIDDEN, '');
}
