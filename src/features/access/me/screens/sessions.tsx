// Settings › Sign-in & sessions: one's passkeys and password, the second factor, and where one is signed in.
import { Button, PasswordInput } from '@mantine/core';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { NewPassword } from '../../sessions/screens/shared.ts';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactor } from './second-factor.tsx';
import classes from './sessions.module.css';

export function SessionsScreen() {
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Sign-in & sessions' }]} width="reading">
      <Passkeys />
      <SecondFactor />
      <RecoveryCodes />
      <ChangePassword />
      <Sessions />
    </Page>
  );
}

function ChangePassword() {
  const me = useMe();
  const save = useAct('me_password', {
    quiet: true,
    says: 'Password changed. All other sessions were signed out.',
  });
  const form = useActForm({ current: '', password: '' }, (values) => save.mutateAsync(values), {
    clear: true,
  });
  return (
    <Section title="Password" says="Changing your password signs out all other sessions.">
      <div style={{ maxWidth: 420 }}>
        <FormStack form={form} label="Password">
          <input
            type="hidden"
            name="username"
            autoComplete="username"
            value={me.user?.email ?? ''}
            readOnly
          />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
            {...form.text('current')}
          />
          <NewPassword label="New password" {...form.text('password')} />
          <FormEnd form={form} act="Change password" />
        </FormStack>
      </div>
    </Section>
  );
}

function Sessions() {
  const pages = usePages('me_sessions', {});
  const end = useAct('me_session_end', { says: 'Session ended.' });
  const ask = async (session: string, device: string): Promise<void> => {
    const yes = await confirm({
      title: 'End this session?',
      says: `${device} is signed out immediately and has to sign in again.`,
      act: 'End session',
      tone: 'bad',
    });
    if (yes) end.mutate({ session });
  };
  return (
    <Section title="Sessions" says="Where you’re signed in.">
      {pages.error && pages.rows.length === 0 ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={3} height={28} />
      ) : (
        <ul className={classes.sessions}>
          {pages.rows.map((session) => {
            const device = deviceOf(session.user_agent);
            return (
              <li key={session.id}>
                <div>
                  <p className={classes.device}>
                    {device} {session.current && <Pill tone="good">This session</Pill>}
                  </p>
                  <p className={classes.about}>
                    {session.address ?? 'Unknown address'} · last seen <Time at={session.last_seen_at} /> ·
                    signed in <Time at={session.created_at} />
                  </p>
                </div>
                {!session.current && (
                  <Button
                    variant="default"
                    aria-label={`End session on ${device}`}
                    onClick={() => void ask(session.id, device)}
                  >
                    End
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" onClick={pages.more}>
          Load more
        </Button>
      )}
    </Section>
  );
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const;

function deviceOf(agent: string | null): string {
  const found = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([sign]) => agent && sign.test(agent))?.[1];
  const browser = found(BROWSERS);
  const system = found(SYSTEMS);
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device');
}
