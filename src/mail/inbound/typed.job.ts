// The job that reads typed text, which has neither subject nor header; see src/apart.
import { readingByRule, type RuleReading } from './reading.ts';

export const run = (text_stripped: string): RuleReading =>
  readingByRule({ automatic: null, returns_on: null, subject: '', text_stripped, stripped_whole: false });
