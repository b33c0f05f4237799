// Of what someone is notified, and how: one choice for each kind.
import { NativeSelect } from '@mantine/core';
import { NOTICE_KINDS, type NoticeChoice, type NoticeChoices, type NoticeKind } from '../choices.rules.ts';

const KINDS: Record<NoticeKind, { title: string; says: string }> = {
  positive: { title: 'Positive replies', says: 'Someone said yes, and you can answer them.' },
  assigned: { title: 'Assignments', says: 'Someone else assigned a work item to you.' },
  paused: { title: 'Automatic pauses', says: 'A campaign or domain paused itself.' },
  failed: { title: 'Failures', says: 'An identity can’t send, or events can’t be delivered.' },
};

const CHOICES: { value: NoticeChoice; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'bell', label: 'In Dunnock' },
  { value: 'mail', label: 'In Dunnock and by email' },
];

type NoticeFieldsProps = { values: NoticeChoices; change: (values: NoticeChoices) => void };

export const NoticeFields = ({ values, change }: NoticeFieldsProps) =>
  NOTICE_KINDS.map((kind) => (
    <NativeSelect
      key={kind}
      label={KINDS[kind].title}
      description={KINDS[kind].says}
      data={CHOICES}
      value={values[kind]}
      onChange={(event) => change({ ...values, [kind]: event.currentTarget.value as NoticeChoice })}
    />
  ));
