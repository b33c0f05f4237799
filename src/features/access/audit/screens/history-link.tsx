// The way from a record to its own history in the activity, for those who may read that.
import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useMe } from '../../../../ui/client/session.ts';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import type { Noun } from '../nouns.rules.ts';

export function HistoryLink({ noun, id }: { noun: Noun; id: string }) {
  if (!mayAdminister(useMe())) return null;
  return (
    <Tooltip label="History">
      <ActionIcon
        size="lg"
        aria-label="History"
        component={Link}
        {...({ to: '/activity', search: { noun, id } } as object)}
      >
        <History size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
