// What one text of a letter asks for, or why it cannot be read, before it is saved.
import { compile } from './compile.ts';

export function readText(
  text: string,
  isHtml: boolean,
): { fault: string } | { fault: null; fields: readonly string[] } {
  const compiled = compile(text, isHtml ? 'html' : 'plain');
  return compiled.fault === null ? { fault: null, fields: compiled.fields } : { fault: compiled.fault };
}
