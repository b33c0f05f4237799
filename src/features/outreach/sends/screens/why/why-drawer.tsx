// Why letters of a campaign, an identity or a domain do not go: first what keeps all of it, then its letters by what stops
// them, each with how many there are, the first gate that is shut, what lifts it and who can.
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { DetailDrawer } from '../../../../../ui/kit/detail-drawer.tsx';
import { counted } from '../../../../../ui/kit/numbers.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Outlook } from '../../contract.ts';
import { useWaiting } from './use-waiting.ts';
import { causeOf, type Group } from './waiting.rules.ts';
import { GATE, inWords, STATE, whoLifts } from '../words.ts';
import classes from './why-drawer.module.css';

export type Scope = { campaign: string } | { identity: string } | { domain: string };
export type Cause = Pick<NonNullable<Outlook['why_not']>, 'sentence' | 'fix' | 'who'>;

type WhyDrawerProps = { opened: boolean; close: () => void; of: Scope; name: string; causes: Cause[] };

export function WhyDrawer({ opened, close, name, ...rest }: WhyDrawerProps) {
  return (
    <DetailDrawer title="Why hasn’t this been sent?" opened={opened} onClose={close} size={560}>
      <p className={classes.name}>{name}</p>
      {opened && <Waiting {...rest} />}
    </DetailDrawer>
  );
}

/** Said below with the letters themselves. */
const OF_LETTERS: readonly string[] = ['held_letters', 'uncertain_letters', 'review_waiting'];

function Waiting({ of, causes }: Pick<WhyDrawerProps, 'of' | 'causes'>) {
  const campaign = 'campaign' in of ? of.campaign : null;
  const overview = useRead('campaign_overview', { campaign: campaign ?? '' }, { enabled: campaign !== null });
  const { groups, error, pending, again, left } = useWaiting(of);
  if (error) return <Trouble error={error} again={again} />;
  if (pending) return <Bones lines={6} height={20} />;
  const attention = overview.data?.overview.attention ?? [];
  const all = [...causes, ...attention.filter(({ code }) => !OF_LETTERS.includes(code))];
  return (
    <div className={classes.stack}>
      {all.length > 0 && (
        <ul className={classes.causes} aria-label="Causes">
          {all.map(({ sentence, fix, who }) => (
            <li key={sentence}>
              <strong>{sentence}</strong>
              <p>
                {fix} {whoLifts(who)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {groups.length > 0 ? (
        <ol className={classes.groups} aria-label="Letters by cause">
          {groups.map((group) => (
            <Stopped key={group.key} group={group} of={of} />
          ))}
        </ol>
      ) : (
        <Empty icon={CircleCheck} title="No letters waiting">
          The next letter is drafted when a person’s next step is due.
        </Empty>
      )}
      {left > 0 && (
        <p className={classes.quiet}>
          {left} more identities use this domain. Each identity’s page shows what stops its letters.
        </p>
      )}
    </div>
  );
}

function Stopped({ group, of }: { group: Group; of: Scope }) {
  const { state, reason, letters, more, first } = group;
  const read = useRead('send_read', { send: first.id });
  const outlook = read.data?.outlook;
  const cause = causeOf(group, outlook);
  const gate = outlook?.gates.find(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  const one = letters.length === 1 && !more;
  return (
    <li>
      <p className={classes.head}>
        <strong>
          {counted(letters.length)}
          {more && ' or more'} {one ? 'letter' : 'letters'}
        </strong>
        <Pill tone={STATE[state].tone}>{reason ? inWords(reason) : STATE[state].title}</Pill>
      </p>
      {cause && (
        <>
          <p>{cause.sentence}</p>
          <p className={classes.quiet}>
            {cause.fix} {whoLifts(cause.who)}
          </p>
        </>
      )}
      {!cause && outlook && (
        <p className={classes.quiet}>
          Waiting until due. The first letter goes out <Time at={outlook.goes_at} none="when it is due" />.
        </p>
      )}
      {gate && cause && (
        <p className={classes.quiet}>
          First closed gate: <b>{GATE[gate.gate]}</b>
          {gate.until && (
            <>
              , opens <Time at={gate.until} />
            </>
          )}
        </p>
      )}
      <p className={classes.links}>
        <Link to="/sends/$send" params={{ send: first.id }}>
          {one ? 'View letter and gates' : 'View first letter and gates'}
        </Link>
        {!one && !('domain' in of) && (
          <Link to="/sends" search={{ ...of, state, ...(state === 'held' && reason ? { reason } : {}) }}>
            Show letters
          </Link>
        )}
      </p>
    </li>
  );
}
