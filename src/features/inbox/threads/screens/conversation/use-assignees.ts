// People and tokens a conversation can be assigned to, except the caller, who is `me`.
import type { Answer } from '../../../../../ui/client/call.ts';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';

export function useAssignees(): Answer<'assignee_list'>['items'] {
  const me = useMe();
  const { data } = useRead('assignee_list', { limit: 200 }, { stale_ms: 60_000 });
  return (data?.items ?? []).filter(({ id }) => id !== me.principal.id);
}
