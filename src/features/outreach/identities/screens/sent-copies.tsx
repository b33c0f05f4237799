// Copies of an identity's letters in the Sent folder of its mailbox: who files them, where, and what is wrong.
import { NativeSelect, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import { SENT_COPIES, type SentCopies as Mode } from '../ways/filing.rules.ts';
import { COPIES } from './words.ts';
import classes from './identities.module.css';

export function SentCopies({ identity }: { identity: Identity }) {
  const { sent_copies, sent_folder, sent_filed_by, sent_trouble, sent_trouble_since, inbound } = identity;
  const update = useAct('identity_update', { quiet: true, says: 'Copies saved' });
  const form = useActForm(
    { sent_copies, sent_folder: sent_folder ?? '' },
    (values) =>
      update.mutateAsync({
        identity: identity.id,
        revision: identity.revision,
        sent_copies: values.sent_copies,
        sent_folder: values.sent_folder.trim() || null,
      }),
    { revision: identity.revision },
  );
  if (inbound.kind !== 'imap') return <p className={classes.quiet}>{COPIES.no_mailbox}</p>;
  const { values, set, text } = form;
  return (
    <div className={classes.stack}>
      {sent_trouble ? (
        <p className={classes.notice}>
          {COPIES.trouble} {sent_trouble} First seen: <Time at={sent_trouble_since} />
        </p>
      ) : (
        <p className={classes.quiet}>{COPIES.filed_by[sent_filed_by]}</p>
      )}
      <FormStack form={form} label="Copies in Sent">
        <div className={classes.pair}>
          <NativeSelect
            label="Copies"
            value={values.sent_copies}
            onChange={(event) => {
              const mode = SENT_COPIES.find((each) => each === event.currentTarget.value);
              if (mode) set('sent_copies', mode);
            }}
            data={SENT_COPIES.map((value: Mode) => ({ value, label: COPIES.mode[value] }))}
          />
          <TextInput label="Sent folder" placeholder="Detected automatically" {...text('sent_folder')} />
        </div>
        <FormEnd form={form} act="Save copies" />
      </FormStack>
    </div>
  );
}
