// One spelling for text written with and without accents: `Désinscrire` and `desinscrire`, `ł` and `l`, `８` and `8`.
// The marks of kana stay, because they are part of the letters.

export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđßæı]/g, (letter) => PLAIN[letter] ?? letter);

const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', ı: 'i' };
