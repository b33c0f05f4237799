// Inviting someone: their address and what they may do; then the link, shown this once.
import { Button, Checkbox, Modal, MultiSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useGroupChoices, usePolicyChoices } from '../../../../ui/kit/choices.ts';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';

type Invited = Answer<'user_invite'>;

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const topmost = useTopmost(opened);
  const close = (): void => {
    onClose();
    setInvited(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={invited ? `${invited.user.email} invited` : 'Invite someone'}
      size={480}
      closeOnEscape={topmost}
      closeOnClickOutside={invited === null}
    >
      {invited ? (
        <Link invited={invited} done={close} />
      ) : (
        <InviteForm onInvited={setInvited} cancel={close} />
      )}
    </Modal>
  );
}

/** The link of an invitation, which no one can see again; inviting once more replaces it. */
export function Link({ invited, done }: { invited: Invited; done: () => void }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
      {invited.link ? (
        <SecretOnce value={invited.link} label="invitation link">
          Send this link to {invited.user.email}. The link is shown only once and works once.
        </SecretOnce>
      ) : (
        <p>The link was sent to {invited.user.email}.</p>
      )}
      <p style={{ color: 'var(--text-2)' }}>
        The link expires <Time at={invited.expires_at} />. To replace the link, invite this address again.
      </p>
      <div style={{ display: 'flex', justifyContent: 'flex-end' }}>
        <Button onClick={done}>Done</Button>
      </div>
    </div>
  );
}

function InviteForm({ onInvited, cancel }: { onInvited: (invited: Invited) => void; cancel: () => void }) {
  const groups = useGroupChoices();
  const policies = usePolicyChoices();
  const invite = useAct('user_invite', { quiet: true, onSuccess: onInvited });
  const form = useActForm(
    { email: '', name: '', admin: false, groups: [] as string[], policies: [] as string[] },
    (values) =>
      invite.mutateAsync({
        email: values.email.trim(),
        ...(values.name.trim() ? { name: values.name.trim() } : {}),
        ...(values.admin ? { admin: true } : {}),
        ...(values.groups.length ? { groups: values.groups } : {}),
        ...(values.policies.length ? { policies: values.policies } : {}),
      }),
  );
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label="Invite someone">
      <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.text('email')} />
      <TextInput
        label="Name"
        description="They can change it later."
        autoComplete="off"
        {...form.text('name')}
      />
      <Checkbox
        label="Administrator"
        description="Can do everything, including minting tokens and changing permissions."
        checked={values.admin}
        onChange={(event) => set('admin', event.currentTarget.checked)}
        error={errors.admin}
      />
      {!values.admin && (
        <>
          <MultiSelect
            label="Groups"
            data={groups}
            value={values.groups}
            onChange={(next) => set('groups', next)}
            error={errors.groups}
            searchable
          />
          <MultiSelect
            label="Policies"
            description="All members can work on the board and see approvals. Policies add to that."
            data={policies}
            value={values.policies}
            onChange={(next) => set('policies', next)}
            error={errors.policies}
            searchable
          />
        </>
      )}
      <FormEnd form={form} act="Invite" cancel={cancel} />
    </FormStack>
  );
}
