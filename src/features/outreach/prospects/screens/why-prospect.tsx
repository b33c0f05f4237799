// Why nothing goes to someone of a campaign: their next letter with all its gates, or why none is written yet, what lifts that
// and who can; and below what happened to them here.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { DetailDrawer } from '../../../../ui/kit/detail-drawer.tsx';
import { History } from '../../../../ui/kit/history.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Campaign } from '../../campaigns/contract.ts';
import { isOver, WhyNot, AGAIN, inWords } from '../../sends/screens/shared.ts';
import type { Prospect, ProspectFact } from '../contract.ts';
import { noLetter } from './no-letter.rules.ts';
import { isStage, named, STAGE } from './words.ts';
import classes from './why-prospect.module.css';

type WhyProspectProps = {
  /** Whose; undefined: shut. */
  prospect: string | undefined;
  campaign: Campaign;
  stepOf: (id: string) => string | undefined;
  close: () => void;
};

export const WhyProspect = ({ prospect, close, ...rest }: WhyProspectProps) => (
  <DetailDrawer title="Why hasn’t this been sent?" opened={prospect !== undefined} onClose={close} size={560}>
    {prospect !== undefined && <Why prospect={prospect} {...rest} />}
  </DetailDrawer>
);

/** Beside those that were called off, the next letter is among the last few. */
const LOOKED_AT = 20;

function Why({ prospect: id, campaign, stepOf }: Omit<WhyProspectProps, 'close'> & { prospect: string }) {
  const read = useRead('prospect_read', { prospect: id });
  const letters = useRead('send_list', { prospect: id, limit: LOOKED_AT });
  const next = letters.data?.items.findLast((letter) => !isOver(letter));
  const error = read.error ?? letters.error;
  if (error)
    return (
      <Trouble
        error={error}
        again={() => {
          void read.refetch();
          void letters.refetch();
        }}
      />
    );
  if (!read.data || !letters.data) return <Bones lines={8} />;
  const { prospect, history } = read.data;
  return (
    <div className={classes.stack}>
      <p className={classes.who}>
        {prospect.person_id ? (
          <Link to="/people/$person" params={{ person: prospect.person_id }} search={{}}>
            {named(prospect)}
          </Link>
        ) : (
          named(prospect)
        )}{' '}
        in {prospect.campaign_name}
      </p>
      {next ? (
        <NextLetter send={next.id} />
      ) : (
        <None prospect={prospect} campaign={campaign} stepOf={stepOf} />
      )}
      {history.length > 0 && <History says={happened} facts={history} />}
    </div>
  );
}

function NextLetter({ send: id }: { send: string }) {
  const { data, error, refetch } = useRead('send_read', { send: id });
  if (error) return <Trouble error={error} again={() => void refetch()} />;
  if (!data) return <Bones lines={5} />;
  return (
    <>
      <p>
        Next letter:{' '}
        <Link to="/sends/$send" params={{ send: id }}>
          {data.send.subject || 'No subject'}
        </Link>
      </p>
      <WhyNot outlook={data.outlook} state={data.send.state} />
    </>
  );
}

function None({
  prospect,
  campaign,
  stepOf,
}: {
  prospect: Prospect;
  campaign: Campaign;
  stepOf: WhyProspectProps['stepOf'];
}) {
  const why = noLetter(prospect, campaign);
  const step = prospect.step_id === null ? undefined : stepOf(prospect.step_id);
  return (
    <section className={classes.none} aria-label="Why there is no letter" data-quiet={why.waits || undefined}>
      <strong>{why.sentence}</strong>
      <p>
        {why.fix} {why.until && <Time at={why.until} />}
      </p>
      {prospect.failed_send_id ? (
        <Failed prospect={prospect} send={prospect.failed_send_id} />
      ) : (
        step && <p>Next step: {step}</p>
      )}
    </section>
  );
}

/** The letter that failed comes before the next one. */
function Failed({ prospect, send }: { prospect: Prospect; send: string }) {
  const again = useAct('send_resend', { says: AGAIN.done, touches: ['prospects'] });
  const skip = useAct('prospect_release', { says: AGAIN.skipped });
  const ask = async (): Promise<void> => {
    if (await confirm(AGAIN.askSkip(named(prospect))))
      skip.mutate({ prospect: prospect.id, skip_failed: true });
  };
  return (
    <div className={classes.acts}>
      <Button size="compact-sm" loading={again.isPending} onClick={() => again.mutate({ send })}>
        {AGAIN.act}
      </Button>
      <Button size="compact-sm" variant="default" loading={skip.isPending} onClick={() => void ask()}>
        {AGAIN.skip}
      </Button>
      <Link to="/sends/$send" params={{ send }}>
        Why it failed
      </Link>
    </div>
  );
}

function happened({ kind, details: { to, reason } }: ProspectFact): { did: string; more: string | null } {
  const said = typeof reason === 'string' && reason !== '' ? reason : null;
  return {
    did:
      kind === 'stage' && isStage(to)
        ? `moved this person to ${STAGE[to].title.toLowerCase()}`
        : (DID[kind] ?? inWords(kind)),
    more: said !== null && kind === 'ended' ? inWords(said) : said,
  };
}

const DID: Record<string, string> = {
  enrolled: 'enrolled this person',
  held: 'put this person on hold',
  released: 'released this person',
  ended: 'ended the sequence for this person',
};
