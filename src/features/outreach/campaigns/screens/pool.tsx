// Who sends: the identities of the pool with the weight of each. People already contacted keep their sender.
import { many } from '../../../../ui/kit/numbers.ts';
import { ActionIcon, Button, NumberInput, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import type { Campaign } from '../contract.ts';
import { type OwnSaves, useReadOf } from './own-saves.ts';
import { useTabGuard } from './tab.ts';
import classes from './settings.module.css';

export function PoolSection({ campaign, saves }: { campaign: Campaign; saves: OwnSaves }) {
  const [pool, setPool] = useState(campaign.identity_pool);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const { data } = useRead('identity_list', { limit: 200 }, { stale_ms: 30_000 });
  const identities = data?.items ?? [];
  const save = useAct('campaign_pool', {
    quiet: true,
    says: ({ campaign: now }) => `Pool saved: ${many(now.identity_pool.length, 'identity', 'identities')}`,
    onError: setRefused,
  });
  const dirty = JSON.stringify(pool) !== JSON.stringify(campaign.identity_pool);
  useTabGuard(dirty);
  const read = useReadOf(campaign, dirty, saves);
  const all = pool.reduce((sum, { weight }) => sum + weight, 0);
  const left = identities.filter(
    ({ id, gone_at }) => !gone_at && !pool.some((one) => one.identity_id === id),
  );
  return (
    <Section
      title="Who sends"
      says="New people are split among these identities by weight. People already contacted keep their sender."
    >
      <div className={classes.stack}>
        {pool.length > 0 && (
          <ul className={classes.pool} aria-label="Pool">
            {pool.map(({ identity_id, weight }) => {
              const identity = identities.find(({ id }) => id === identity_id);
              const name = identity ? `${identity.name} <${identity.address}>` : 'An identity you can’t view';
              return (
                <li key={identity_id}>
                  <span className={classes.sender}>
                    {name}
                    {identity && !identity.active && <Pill tone="bad">Inactive</Pill>}
                  </span>
                  <NumberInput
                    aria-label={`Weight of ${name}`}
                    w={76}
                    min={1}
                    max={100}
                    value={weight}
                    onChange={(value) =>
                      setPool(
                        pool.map((one) =>
                          one.identity_id === identity_id ? { ...one, weight: Number(value) || 1 } : one,
                        ),
                      )
                    }
                  />
                  <span className={classes.part}>{Math.round((weight / all) * 100)} %</span>
                  <ActionIcon
                    aria-label={`Remove ${name}`}
                    onClick={() => setPool(pool.filter((one) => one.identity_id !== identity_id))}
                  >
                    <X size={15} />
                  </ActionIcon>
                </li>
              );
            })}
          </ul>
        )}
        {data && identities.length === 0 ? (
          <p className={classes.says}>No identities yet. Set one up under Settings › Identities.</p>
        ) : (
          <Select
            aria-label="Add an identity"
            placeholder="Add an identity"
            searchable
            nothingFoundMessage="No other identities"
            value={null}
            data={left.map(({ id, name, address, active }) => ({
              value: id,
              label: `${name} <${address}>${active ? '' : ' (inactive)'}`,
            }))}
            onChange={(id) => id && setPool([...pool, { identity_id: id, weight: 1 }])}
          />
        )}
        <Refused error={refused} />
        {dirty && (
          <div className={classes.end}>
            <Button variant="default" onClick={() => setPool(campaign.identity_pool)}>
              Discard
            </Button>
            <Button
              loading={save.isPending}
              onClick={() => {
                setRefused(null);
                const saved = save.mutateAsync({
                  campaign: campaign.id,
                  revision: read.revision,
                  seen: read.seen,
                  identity_pool: pool.map((entry) => {
                    const listed = identities.find(({ id }) => id === entry.identity_id);
                    return { ...entry, ...(listed && { seen: listed.seen }) };
                  }),
                });
                saved.then(
                  ({ campaign: now }) => saves.add(read, now),
                  () => undefined,
                );
              }}
            >
              Save pool
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}
