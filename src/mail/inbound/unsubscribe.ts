// Whether a letter asks to be left alone, by lines that say nothing else.
import type { ReadMail } from './mail.ts';
type Asked = Pick<ReadMail, 'subject' | 'text_stripped' | 'stripped_whole'>;
export const asksToStop = ({ text_stripped }: Asked): boolean => /^unsubscribe$/im.test(text_stripped);
