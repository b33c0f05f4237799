// Covers the rules of users: who gives rights, whose address it is, and that an administrator stays.
import { expect, test } from 'vitest';
import { nobody, type Caller } from '../../../kernel/caller.ts';
import {
  emailKey,
  ruleAdminFlag,
  ruleDisable,
  ruleEnable,
  ruleInvite,
  ruleInviteAgain,
  ruleLastAdmin,
  ruleTimezone,
  type RosterStanding,
} from './rules.ts';

const ada: RosterStanding = { name: 'Ada', email: 'ada@example.com', state: 'active', admin: true };
const session = (admin: boolean): Caller => ({
  ...nobody('screen'),
  credential: { kind: 'session', id: 'x', stepped_up_at: null },
  rights: { admin, policies: [], projects: null },
});
const token: Caller = {
  ...session(true),
  credential: {
    kind: 'token',
    id: 'x',
    name: 'scout',
    scopes: { wire: true, scripts: false },
    first_agent_turn_at: null,
  },
};

test('an address is one whatever its case and its spaces', () => {
  for (const email of [' Ada@Example.com', 'ADA@EXAMPLE.COM ', 'ada@example.com'])
    expect(emailKey(email)).toBe('ada@example.com');
});

test('an invitation by a token carries no rights, whoever the token belongs to', () => {
  expect(ruleInvite({}, token)).toBeNull();
  expect(ruleInvite({ admin: false, groups: [], policies: [] }, token)).toBeNull();
  for (const given of [{ admin: true }, { groups: ['x'] }, { policies: ['read-all'] }]) {
    expect(ruleInvite(given, token)?.status).toBe(403);
    expect(ruleInvite(given, session(true))).toBeNull();
  }
});

test('only an administrator makes administrators', () => {
  expect(ruleInvite({ admin: true }, session(false))?.status).toBe(403);
  expect(ruleAdminFlag(true, session(false))?.status).toBe(403);
  expect(ruleAdminFlag(false, session(false))?.status).toBe(403);
  expect(ruleAdminFlag(undefined, session(false))).toBeNull();
  expect(ruleAdminFlag(true, session(true))).toBeNull();
});

test('who is here already is not invited, and who is disabled is enabled on the screen instead', () => {
  const there = { ...ada, groups: [], policies: [] };
  expect(ruleInviteAgain({ ...there, state: 'invited' }, session(true))).toBeNull();
  expect(ruleInviteAgain(there, session(true))?.status).toBe(409);
  expect(ruleInviteAgain({ ...there, state: 'disabled' }, session(true))?.sentence).toContain(
    'an administrator can enable them under Users',
  );
});

test('the last active administrator stays', () => {
  expect(ruleLastAdmin(ada, false, 0)?.sentence).toContain('last active administrator');
  expect(ruleLastAdmin(ada, false, 1)).toBeNull();
  expect(ruleLastAdmin(ada, true, 0)).toBeNull();
  expect(ruleLastAdmin({ ...ada, admin: false }, false, 0)).toBeNull();
  expect(ruleLastAdmin({ ...ada, state: 'disabled' }, false, 0)).toBeNull();
});

test('someone who never came is neither disabled nor enabled', () => {
  const invited: RosterStanding = { ...ada, state: 'invited' };
  expect(ruleDisable(invited)?.status).toBe(409);
  expect(ruleEnable(invited)?.status).toBe(409);
  expect(ruleDisable(ada)).toBeNull();
  expect(ruleEnable({ ...ada, state: 'disabled' })).toBeNull();
});

test('a time zone is one that can be computed with', () => {
  expect(ruleTimezone('Europe/Berlin')).toBeNull();
  expect(ruleTimezone('UTC')).toBeNull();
  expect(ruleTimezone('Europe/Atlantis')?.details?.fields).toHaveProperty('timezone');
});
