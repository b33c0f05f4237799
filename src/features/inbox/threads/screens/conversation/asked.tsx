// Requests found in a message: erase the sender, or add the colleague they name. Adding sends nothing.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ticket, UserMinus, UserPlus } from 'lucide-react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import type { Thread } from '../../contract.ts';
import { type NamedAddress, namedIn } from '../../record/named.rules.ts';
import type { Touch } from '../../touches.contract.ts';
import classes from './touch.module.css';

export function Asked({ touch: { reading, details, person_id }, thread }: { touch: Touch; thread: Thread }) {
  const { erasure, referred_to, ticket, left } = details;
  const asksErasure = reading === 'unsubscribe' && erasure === true;
  const named = reading === 'referral' && typeof referred_to === 'string' ? namedIn(referred_to) : null;
  const whom = person_id ?? thread.person_id;
  return (
    <>
      {asksErasure && whom !== null && (
        <p className={classes.asked} role="note">
          <UserMinus size={15} aria-hidden />
          <span>
            This person asked you to erase their personal data. They’re suppressed and get no more letters.
          </span>
          <Button component={Link} to={`/people/${whom}`} size="compact-xs" variant="default">
            Open person
          </Button>
        </p>
      )}
      {named !== null && named.address !== null && <Proposed named={named} left={left === true} />}
      {reading === 'out_of_office' && typeof ticket === 'string' && (
        <p className={classes.asked} role="note">
          <Ticket size={15} aria-hidden />
          <span>
            Their help desk replied{ticket === '' ? '' : ` with ticket ${ticket}`}. The sequence continues.
          </span>
        </p>
      )}
    </>
  );
}

function Proposed({ named: { name, address }, left }: { named: NamedAddress; left: boolean }) {
  const add = useAct('person_create', {
    says: ({ person }) => `Added ${person.name || address}`,
    touches: ['people', 'today'],
  });
  return (
    <p className={classes.asked} role="note">
      <UserPlus size={15} aria-hidden />
      <span>
        {left ? 'This person has left the company. Suggested contact: ' : 'Suggested contact: '}
        <bdi>{name === '' ? address : `${name} (${address})`}</bdi>.
      </span>
      <Button
        size="compact-xs"
        variant="default"
        loading={add.isPending}
        disabled={add.isSuccess}
        onClick={() =>
          add.mutate({
            ...(name === '' ? {} : { name }),
            addresses: [{ value: address ?? '' }],
            source: 'referral',
          })
        }
      >
        {add.isSuccess ? 'Added' : 'Add person'}
      </Button>
    </p>
  );
}
