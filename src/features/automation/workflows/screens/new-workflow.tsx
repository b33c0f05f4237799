// A new, unsaved workflow from a template.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjectChoices } from '../../../../ui/kit/choices.ts';
import { useOpenTo } from '../../../../ui/kit/open-to.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Editor } from './editor/editor.tsx';
import { EMPTY, STARTS } from './editor/starts.ts';
import { useEditing } from './editor/use-editing.ts';

const CRUMBS = [{ title: 'Workflows', to: '/workflows' }, { title: 'New workflow' }] as const;

export function NewWorkflowScreen() {
  const { kind } = useSearch({ from: '/desk/workflows/new' });
  const { isPending } = useRead('project_list', { limit: 200 });
  const [project] = useProjectChoices();
  const shut = useOpenTo('workflow.create');
  if (shut || isPending)
    return (
      <Page crumbs={[...CRUMBS]} width="reading">
        {shut ?? <Bones lines={8} height={22} />}
      </Page>
    );
  return <Writing key={kind ?? ''} kind={kind} project={project?.value ?? ''} />;
}

function Writing({ kind, project }: { kind: string | undefined; project: string }) {
  const navigate = useNavigate({ from: '/workflows/new' });
  const [start] = useState(() => STARTS.find(({ key }) => key === kind)?.draft(project) ?? EMPTY);
  const editing = useEditing(
    null,
    start,
    ({ id }) =>
      void navigate({
        to: '/workflows/$workflow',
        params: { workflow: id },
        search: {},
        replace: true,
        ignoreBlocker: true,
      }),
  );
  return (
    <Page crumbs={[...CRUMBS]} beside={<Pill>Not saved</Pill>}>
      <Editor editing={editing} isNew />
    </Page>
  );
}
