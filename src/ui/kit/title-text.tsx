// A title as someone wrote it, agents included: kept apart from the text around it, in the order it is stored in.

/** Marks that reorder what follows them; a title that needs them reads as well without, and one that hides behind them does not. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/gu;

export const unordered = (text: string): string => text.replaceAll(REORDERING, '');

export const TitleText = ({ children }: { children: string }) => <bdi>{unordered(children)}</bdi>;
