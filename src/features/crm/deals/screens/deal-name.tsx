// What a deal is called, whole also where it is long, and changed in place: Enter or leaving it saves, Escape takes it
// back.
import { useDraft } from '../../../../ui/kit/draft.ts';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import type { Deal } from '../contract.ts';
import classes from './deal.module.css';

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

export function DealName({ deal, saving, level }: { deal: Deal; saving: Saving<Deal>; level: 2 | 3 }) {
  const { input } = useDraft(deal.name, (text, from) =>
    saving.save({ name: oneLine(text) }, { from: from === undefined ? undefined : { name: from } }),
  );
  const Heading = `h${level}` as const;
  return (
    <Heading className={classes.name}>
      <textarea aria-label="Name" dir="auto" rows={1} maxLength={200} {...input} />
    </Heading>
  );
}
