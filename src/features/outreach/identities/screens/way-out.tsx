// Changing the way out of an identity, or saving another password for it.
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Identity } from '../contract.ts';
import { TransportFields, transportValues, transportWishOf } from './transport-fields.tsx';

export function OutgoingMail({ identity }: { identity: Identity }) {
  const { transport } = identity;
  const update = useAct('identity_update', {
    quiet: true,
    says: ({ identity: after }) =>
      identity.active && !after.active
        ? 'Saved. Test the identity, then activate it again.'
        : 'Outgoing mail saved',
  });
  const form = useActForm(
    transportValues(transport),
    (values) =>
      update.mutateAsync({
        identity: identity.id,
        revision: identity.revision,
        transport: transportWishOf(values),
      }),
    { revision: identity.revision },
  );
  return (
    <FormStack form={form} label="Outgoing mail">
      <TransportFields form={form} saved={transport.kind === 'smtp' && transport.has_secret} />
      <FormEnd form={form} act="Save outgoing mail" />
    </FormStack>
  );
}
