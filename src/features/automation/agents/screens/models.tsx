// Models by provider; for a provider that can’t be used, what is missing and where to fix it.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { modelList } from '../contract.ts';
import type { z } from 'zod';
import classes from './agents.module.css';

type Listed = z.output<typeof modelList.gives>;

const STATES: Record<Listed['providers'][number]['state'], { word: string; tone: Tone }> = {
  usable: { word: 'Connected', tone: 'good' },
  no_keys: { word: 'No key', tone: 'mute' },
  failing: { word: 'Not responding', tone: 'bad' },
};

export function Models() {
  const { data, error, refetch, isFetching } = useRead('model_list', {}, { stale_ms: 60_000 });
  return (
    <Section
      title="Models"
      says="The models your connected providers offer."
      actions={
        <Button variant="default" loading={isFetching && data !== undefined} onClick={() => void refetch()}>
          Refresh
        </Button>
      }
    >
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : data ? (
        <ul className={classes.rows} aria-label="Model providers">
          {data.providers.map((each) => (
            <li key={each.provider} className={classes.provider}>
              <ProviderModels listed={data} provider={each} />
            </li>
          ))}
        </ul>
      ) : (
        <Bones lines={3} />
      )}
    </Section>
  );
}

type ProviderModelsProps = { listed: Listed; provider: Listed['providers'][number] };

function ProviderModels({ listed, provider: { provider, title, state, sentence } }: ProviderModelsProps) {
  const models = listed.items.filter((each) => each.provider === provider);
  return (
    <>
      <h3>
        {title} <Pill tone={STATES[state].tone}>{STATES[state].word}</Pill>
      </h3>
      {sentence !== null && (
        <p className={classes.missing}>
          <span>{sentence}</span>{' '}
          <Link to="/settings/integrations" className={classes.link}>
            {state === 'no_keys' ? 'Add key' : 'View key'}
          </Link>
        </p>
      )}
      {state === 'usable' && models.length === 0 && <p className={classes.missing}>No chat models listed.</p>}
      {models.length > 0 && (
        <ul className={classes.models} aria-label={`Models of ${title}`}>
          {models.map(({ name }) => (
            <li key={name}>
              <code>{name}</code>
              {name === listed.default && <Pill tone="info">Default</Pill>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
