// A hook: an entry point outside /api for callers without a credential, who prove by the request itself that they may use it: a
// mail program that follows an unsubscribe link, or a vendor that signs its posts. A hook isn’t an operation: it has no caller,
// no tool reaches it, and it does one thing. Features list their hooks (Feature.hooks); src/entry/hooks.ts mounts them.
import type { App } from './app.ts';

export type HookRequest = {
  /** The last segment of the path, as it was sent. */
  name: string;
  /** What follows the question mark, as it was sent. */
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The peer's address. */
  address: string | null;
  /** The body's bytes to the letter, for whoever signed them; a Refusal 413 past `limitBytes`, and nothing where none came. */
  body(limitBytes: number): Promise<Buffer>;
};

export type HookAnswer = { status: number; headers: Record<string, string>; body: string };

export type Hook = {
  /** OPTIONS is asked by a browser before the script of another page posts. */
  method: 'GET' | 'POST' | 'OPTIONS';
  /** Segments and, last, the one that is handed over as `name`: `/u/:token`, `/hooks/vendor/:provider`. */
  path: `/${string}/:${string}`;
  /** A Refusal that it throws is answered as everywhere; anything else is a fault. */
  handle(app: App, request: HookRequest): Promise<HookAnswer>;
};
