// “Why hasn’t this been sent?”: when a letter goes, or what stops it and who can lift that, with all fifteen gates in order. For
// the letter’s page, and for prospects, campaigns, identities and domains.
import { Ban, CircleCheck, Clock, Minus, OctagonX, type LucideIcon } from 'lucide-react';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { GateRow, Outlook, Send } from '../../contract.ts';
import { GATE, inWords, VERDICT, WHO, whoLifts } from '../words.ts';
import classes from './why-not.module.css';

type WhyNotProps = { outlook: Outlook; state: Send['state'] };

const OVER: readonly Send['state'][] = ['sent', 'cancelled', 'failed'];

export function WhyNot({ outlook, state }: WhyNotProps) {
  const { goes_at, why_not, gates } = outlook;
  const over = OVER.includes(state);
  return (
    <section className={classes.why} aria-labelledby="why-not">
      <h2 id="why-not">{heading(state, why_not !== null)}</h2>
      {why_not ? (
        <div className={classes.answer} data-over={over || undefined}>
          <p>
            <strong>{why_not.sentence}</strong>
          </p>
          <p>
            {why_not.fix} {whoLifts(why_not.who)}
          </p>
          {goes_at && state === 'scheduled' && (
            <p>
              Expected to be sent <Time at={goes_at} none="when it is due" />.
            </p>
          )}
        </div>
      ) : (
        <p className={classes.goes}>
          {state === 'sent'
            ? 'It was sent '
            : state === 'sending'
              ? 'Sending started '
              : 'Expected to be sent '}
          <Time at={goes_at} none="when it is due" />
          {state === 'scheduled' && '. Nothing holds it.'}
        </p>
      )}
      {!over && <Gates gates={gates} />}
    </section>
  );
}

const heading = (state: Send['state'], stopped: boolean): string => {
  if (state === 'sent' || state === 'sending') return 'On its way';
  if (OVER.includes(state)) return 'Why it wasn’t sent';
  return stopped ? 'Why hasn’t this been sent?' : 'When will it be sent?';
};

function Gates({ gates }: { gates: GateRow[] }) {
  const open = gates.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <details className={classes.all} open={open < gates.length}>
      <summary>
        {open} of {gates.length} gates are open
      </summary>
      <ol className={classes.gates}>
        {gates.map((gate) => (
          <Gate key={gate.gate} gate={gate} />
        ))}
      </ol>
    </details>
  );
}

const ICON: Record<GateRow['verdict'], LucideIcon> = {
  pass: CircleCheck,
  wait: Clock,
  hold: OctagonX,
  over: Ban,
  skipped: Minus,
};

function Gate({ gate: { gate, verdict, reason, sentence, fix, who, until, evidence } }: { gate: GateRow }) {
  const Icon = ICON[verdict];
  const shown = Object.entries(evidence).filter(([, value]) => value !== null && value !== '');
  return (
    <li className={classes.gate} data-verdict={verdict}>
      <Icon size={15} aria-hidden />
      <div>
        <p className={classes.name}>
          <span>{GATE[gate]}</span>
          {verdict !== 'pass' && <Pill tone={VERDICT[verdict].tone}>{VERDICT[verdict].title}</Pill>}
          {verdict === 'pass' && <span className="unseen">{VERDICT.pass.title}</span>}
        </p>
        {(sentence ?? reason) && <p>{sentence ?? inWords(reason ?? '')}</p>}
        {fix && (
          <p className={classes.fix}>
            {fix}
            {who && who !== 'time' && <> ({WHO[who]})</>}
          </p>
        )}
        {until && (
          <p className={classes.fix}>
            Opens <Time at={until} />
          </p>
        )}
        {shown.length > 0 && (
          <dl className={classes.evidence}>
            {shown.map(([name, value]) => (
              <div key={name}>
                <dt>{inWords(name)}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}
