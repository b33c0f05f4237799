// When somebody is back, as an automatic answer says it.
export const returnDate = (_subject: string, _text: string, _sent: Date | null): string | null => null;
