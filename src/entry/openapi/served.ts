// The API document as an instance serves it. All of it but its head is the same everywhere, so it is generated with the product
// (openapi.json) and not by the process: that keeps everyone waiting for a tenth of a second.
import { readFile } from 'node:fs/promises';
import type { App } from '../../kernel/app.ts';
import type { Json } from './schemas.ts';

type Instance = App['instance'];

/** What differs between instances; the rest of the document begins behind it. */
export const headOf = ({ name, version, base_url }: Instance): Json => ({
  openapi: '3.1.0',
  info: {
    title: `Dunnock (${name})`,
    version,
    description: 'The desk where software agents do outreach work and people sign for what can’t be undone.',
  },
  servers: [{ url: base_url }],
});

const BEHIND_HEAD = '\n"tags":';

/** The document in `file` with this instance's head. */
export async function servedDocument(file: string, instance: Instance): Promise<string> {
  const text = await readFile(file, 'utf8');
  const from = text.indexOf(BEHIND_HEAD);
  if (from === -1) throw new Error(`${file} is no API document: npm run generate writes it`);
  return `${lines(headOf(instance), 3).slice(0, -'\n}'.length)},${text.slice(from)}`;
}

/** A line for each path and component: what changes in the document can be read as a difference. */
export function lines(value: unknown, levels: number): string {
  const open = levels > 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!open) return JSON.stringify(value);
  const inner = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${lines(each, key === 'paths' ? 1 : levels - 1)}`,
  );
  return `{\n${inner.join(',\n')}\n}`;
}
