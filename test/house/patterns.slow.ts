// Regular expressions that the analyzer calls slow, or cannot decide, each with the longest text it sees and what bounds that. All
// but those of a probe and of a session read mail, in a thread under a deadline. The list only shrinks: a new pattern is written
// as a loop, or so that its parts cannot match the same characters.

export type Slow = {
  file: string;
  /** As `node scripts/patterns.ts` prints them. */
  keys: readonly string[];
  longest: number;
  why: string;
};

export const SLOW: readonly Slow[] = [
  {
    file: 'src/mail/reports/codes.ts',
    keys: ['6ee7364146ee'],
    longest: 16384,
    why: 'REPLY_CHARS cuts the text',
  },
  {
    file: 'src/mail/reports/judge.ts',
    keys: ['b7937abf49a9'],
    longest: 8193,
    why: 'what was said and told has at most DIAGNOSTIC_CHARS each',
  },
  {
    file: 'src/mail/reports/parts.ts',
    keys: ['afbd9a446a8a'],
    longest: 262144,
    why: 'wordsOfHtml cuts the page at four times NOTICE_CHARS; of each beginning at most 500 characters are read before its end',
  },
  {
    file: 'src/mail/reports/phrases.ts',
    keys: [
      'b83c37cfcedf',
      '7f0d61577940',
      '4aa3d7f80e37',
      '2d4740d77f0f',
      '3740b112f059',
      '0f21fefba4a5',
      'd20144dd8f0b',
      'cb8adff6a521',
      '8d1f0d92f46c',
      'd7d85b5cb9b7',
      'facd574d17e8',
      'ff9b80bcabf9',
      '253293a64c4c',
      '6f863511396b',
      '47a1e0655628',
      'bfc28501b46e',
      'ae297f280f25',
    ],
    longest: 16384,
    why: 'classOfWords cuts the text at WORDS_CHARS and words at 80 characters; every gap in a form is counted',
  },
  {
    file: 'src/mail/reports/read.ts',
    keys: ['1f404c799323'],
    longest: 1000,
    why: 'the field is cut at 1,000 characters',
  },
  {
    file: 'src/mail/reports/read.ts',
    keys: ['0bb9c788df62'],
    longest: 1000,
    why: 'the subject is cut at 1,000 characters and its words at 80',
  },
  {
    file: 'src/mail/reports/read.ts',
    keys: ['d8f156b446f3'],
    longest: 65536,
    why: 'NOTICE_CHARS cuts the text; before the name at most 20 spaces are read',
  },
  {
    file: 'src/mail/reports/stage.ts',
    keys: ['9e45de5a78db', 'f774503628eb', 'ea3c7f39e845', 'f55be54eb863'],
    longest: 8193,
    why: 'stageIn reads what was said and told, at most DIAGNOSTIC_CHARS each',
  },
  {
    file: 'src/mail/probe/reply.ts',
    keys: ['5dc217f984f7'],
    longest: 2000,
    why: 'LONGEST_JUDGED cuts the reply',
  },
  {
    file: 'src/mail/inbound/attribution.ts',
    keys: ['6f67432c2cfe'],
    longest: 900,
    why: 'three lines of at most LONGEST_LINE characters',
  },
  {
    file: 'src/mail/inbound/returning.ts',
    keys: ['ccb1ca144652'],
    longest: 4000,
    why: 'MOST_CHARS cuts the text',
  },
  {
    file: 'src/mail/inbound/within.ts',
    keys: ['11bd0f5d15db'],
    longest: 65536,
    why: 'FIELD_BYTES cuts the part; of each beginning at most 2,000 characters are read',
  },
  {
    file: 'src/mail/reports/addresses.ts',
    keys: ['9eab279b62c3'],
    longest: 65536,
    why: 'NOTICE_CHARS cuts the text; of each beginning at most 64 characters are read before the @',
  },
  {
    file: 'src/mail/reports/notice.ts',
    keys: ['4756cf7b1885'],
    longest: 65536,
    why: 'NOTICE_CHARS cuts the text and shortWords its words; every gap is counted',
  },
  {
    file: 'src/mail/inbound/headings.ts',
    keys: ['94ba14d44f0d'],
    longest: 200,
    why: 'isRule asks no longer line',
  },
  {
    file: 'src/mail/inbound/unsubscribe.ts',
    keys: ['16347a88e8e3', '93935636ed75'],
    longest: 320,
    why: 'a line has at most LONGEST characters, and twice as many once its marks are folded',
  },
];
