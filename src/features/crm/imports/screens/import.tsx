// Importing people: a file, what its columns are, what it would do, and then the writing of exactly that. The step is in
// the address, so that the browser's own way back is the way back here.
import { Button } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../../../../ui/client/session.ts';
import { tell } from '../../../../ui/client/toast.ts';
import { useOpenTo } from '../../../../ui/kit/open-to.tsx';
import { type Crumb, Page } from '../../../../ui/kit/page.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { type ImportStep, Steps, STEPS } from './steps.tsx';
import { isPlanOf, useWizard, type Wizard } from './wizard.ts';
import classes from './imports.module.css';

const CRUMBS: [Crumb, Crumb] = [{ title: 'People', to: '/people' }, { title: 'Import' }];

const isOpen = (wizard: Wizard, step: ImportStep): boolean =>
  step === 'file' || (step === 'columns' ? wizard.plan !== null : isPlanOf(wizard));

export function ImportScreen() {
  const me = useMe();
  const shut = useOpenTo('crm.import.create');
  const wizard = useWizard(me.principal.id);
  const { view } = useSearch({ from: '/desk/people/import' });
  const navigate = useNavigate({ from: '/people/import' });
  const asked = STEPS.find((step) => step === view) ?? 'file';
  const step = STEPS.slice(0, STEPS.indexOf(asked) + 1).findLast((one) => isOpen(wizard, one)) ?? 'file';
  const { plan } = wizard;
  const body = useRef<HTMLDivElement>(null);
  /** The first step that is shown leaves the focus where it is. */
  const [moved, setMoved] = useState(false);
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  useEffect(() => {
    body.current?.scrollTo(0, 0);
  }, [step]);

  const go = (to: ImportStep): void => {
    setMoved(true);
    void navigate({ search: to === 'file' ? {} : { view: to } });
  };
  const written = (batch: string): void => {
    if (here.current)
      void navigate({ to: '/people/imports/$batch', params: { batch }, search: {}, replace: true });
    else tell('Import started.');
  };
  // Until the file is handed over, closing the page would stop it; walking on within the product does not.
  useBlocker({
    disabled: wizard.doing?.what !== 'write',
    enableBeforeUnload: wizard.doing?.what === 'write',
    shouldBlockFn: () => false,
  });

  if (shut)
    return (
      <Page crumbs={CRUMBS} width="reading">
        {shut}
      </Page>
    );
  return (
    <Page
      crumbs={CRUMBS}
      actions={
        <Button
          variant="default"
          leftSection={<History size={15} />}
          onClick={() => void navigate({ to: '/people/imports', search: {} })}
        >
          Imports
        </Button>
      }
      bar={<Steps now={step} open={(one) => wizard.doing === null && isOpen(wizard, one)} go={go} />}
    >
      <div className={classes.wizard}>
        <div className={classes.body} ref={body}>
          {step === 'file' && <FileStep wizard={wizard} focus={moved} next={() => go('columns')} />}
          {step === 'columns' && plan && (
            <ColumnsStep
              wizard={wizard}
              plan={plan}
              focus={moved}
              back={() => go('file')}
              next={() => go('plan')}
            />
          )}
          {step === 'plan' && plan && (
            <PlanStep
              wizard={wizard}
              plan={plan}
              focus={moved}
              back={() => go('columns')}
              written={written}
            />
          )}
        </div>
      </div>
    </Page>
  );
}
