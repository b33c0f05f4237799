import type { Feature } from '../../../kernel/app.ts';
import { password, totp, totpRemove } from './credentials.ts';
import { codes, create, list, options, remove } from './passkeys.handlers.ts';
import { endOne, get, may, sessions, update } from './handlers.ts';

export const me: Feature = {
  name: 'me',
  operations: [
    get,
    may,
    update,
    password,
    totp,
    totpRemove,
    sessions,
    endOne,
    list,
    options,
    create,
    remove,
    codes,
  ],
};
