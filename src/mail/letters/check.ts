// Fields that one text of a letter uses, or why it can’t be parsed, before it is saved.
import { compile } from './compile.ts';

export function readText(
  text: string,
  isHtml: boolean,
): { fault: string } | { fault: null; fields: readonly string[] } {
  const compiled = compile(text, isHtml ? 'html' : 'plain');
  return compiled.fault === null ? { fault: null, fields: compiled.fields } : { fault: compiled.fault };
}
