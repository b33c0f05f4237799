// One user: what is known, the editor of their rights, and how they leave and come back.
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { RecordDrawer } from '../../../../ui/kit/record-drawer.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { User } from '../contract.ts';
import { Link } from './invite-dialog.tsx';
import { RightsEditor } from './rights-editor.tsx';
import { StatePill } from './user-state.tsx';
import classes from './users.module.css';

export function UserDrawer({ user, onClose }: { user: User | null; onClose: () => void }) {
  return (
    <RecordDrawer record={user} onClose={onClose} id={({ id }) => id} title={({ name }) => name}>
      {(shown) => (
        <>
          <Facts
            of={[
              ['Email', shown.email],
              ['State', <StatePill key="state" state={shown.state} />],
              ['Second factor', shown.totp ? 'On' : 'Off'],
              ['Time zone', shown.timezone ?? 'Not set'],
              ['Last seen', <Time key="seen" at={shown.last_seen_at} />],
              ['Added', <Time key="since" at={shown.created_at} />],
            ]}
          />
          {shown.state !== 'disabled' && (
            <section className={classes.rights}>
              <h3>Permissions</h3>
              <RightsEditor key={shown.id} user={shown} />
            </section>
          )}
          <ComeAndGo user={shown} />
        </>
      )}
    </RecordDrawer>
  );
}

function ComeAndGo({ user }: { user: User }) {
  const me = useMe();
  const [invited, setInvited] = useState<Answer<'user_invite'> | null>(null);
  const topmost = useTopmost(invited !== null);
  const disable = useAct('user_disable', {
    says: ({ user: gone }) => `${gone.name} disabled. Their sessions and tokens no longer work.`,
  });
  const enable = useAct('user_update', { says: ({ user: back }) => `${back.name} enabled.` });
  const again = useAct('user_invite', { onSuccess: setInvited });
  const cancel = useAct('user_invite_cancel', { says: 'Invitation revoked. Its link no longer works.' });
  const { invite_id } = user;

  const askDisable = async (): Promise<void> => {
    const yes = await confirm({
      title: `Disable ${user.name}?`,
      says: 'Their sessions end, and tokens bound to them stop working. Everything they wrote and decided is kept. You can enable them again.',
      act: 'Disable',
      tone: 'bad',
    });
    if (yes) disable.mutate({ user: user.id });
  };
  return (
    <div className={classes.end}>
      {user.state === 'active' && user.id !== me.user?.id && (
        <Button color="red" variant="light" loading={disable.isPending} onClick={() => void askDisable()}>
          Disable
        </Button>
      )}
      {user.state === 'disabled' && (
        <Button
          variant="default"
          loading={enable.isPending}
          onClick={() => enable.mutate({ user: user.id, state: 'active' })}
        >
          Enable again
        </Button>
      )}
      {user.state === 'invited' && (
        <Button
          variant="default"
          loading={again.isPending}
          onClick={() => again.mutate({ email: user.email })}
        >
          Replace the link
        </Button>
      )}
      {invite_id && (
        <Button
          color="red"
          variant="light"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ invite: invite_id })}
        >
          Revoke invitation
        </Button>
      )}
      {user.id === me.user?.id && (
        <p style={{ color: 'var(--text-2)' }}>
          You can’t disable your own account. Ask another administrator.
        </p>
      )}
      <Modal
        opened={invited !== null}
        onClose={() => setInvited(null)}
        title="New invitation link"
        size={480}
        closeOnEscape={topmost}
        closeOnClickOutside={false}
      >
        {invited && <Link invited={invited} done={() => setInvited(null)} />}
      </Modal>
    </div>
  );
}
