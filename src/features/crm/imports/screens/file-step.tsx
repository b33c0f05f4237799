// The first step: a file is dropped or chosen, sent, and read into a plan. What cannot be read is said in the product's words.
import '@mantine/dropzone/styles.layer.css';
import { Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { FileSpreadsheet, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Trouble } from '../../../../ui/kit/states.tsx';
import { UPLOAD_MAX_BYTES } from '../limits.rules.ts';
import { StepHead } from './steps.tsx';
import { choose, refuse, type Wizard } from './wizard.ts';
import { Working } from './working.tsx';
import { bytes, rows } from './words.ts';
import classes from './imports.module.css';

type FileStepProps = { wizard: Wizard; focus: boolean; next: () => void };

export function FileStep({ wizard, focus, next }: FileStepProps) {
  const { file, plan, doing, refused } = wizard;
  const openFiles = useRef<() => void>(null);
  const take = async (given: File | undefined): Promise<void> => {
    if (given && (await choose(given))) next();
  };
  if (refused?.status === 403) return <Trouble error={refused} />;
  return (
    <section className={classes.narrow} aria-busy={doing !== null}>
      <StepHead title="Choose a list of people" focus={focus}>
        CSV or Excel (.xlsx), up to {bytes(UPLOAD_MAX_BYTES)}, with column names in the first row. You review
        a plan before anything is saved.
      </StepHead>
      {file && doing ? (
        <Working file={file} doing={doing} />
      ) : (
        <>
          {file && plan && (
            <div className={classes.working}>
              <FileSpreadsheet size={22} strokeWidth={1.5} aria-hidden />
              <div>
                <p className={classes.filename}>
                  <bdi>{file.name}</bdi> <span>{bytes(file.size)}</span>
                </p>
                <p>{rows(plan.preview.rows)} read. Nothing is imported yet.</p>
              </div>
              <Button onClick={next}>Continue</Button>
            </div>
          )}
          <Dropzone
            onDrop={([given]: File[]) => void take(given)}
            onReject={() => refuse('Drop one file at a time.')}
            openRef={openFiles}
            multiple={false}
            activateOnKeyboard={false}
            enablePointerEvents
            role="group"
            aria-label="Drop a file here"
            tabIndex={-1}
            inputProps={{ 'aria-label': 'File' }}
            className={classes.drop ?? ''}
          >
            <FileUp size={28} strokeWidth={1.5} aria-hidden />
            <p>Drop {file ? 'another' : 'a'} file here, or</p>
            <Button
              variant={file ? 'default' : 'filled'}
              onClick={(event) => {
                event.stopPropagation();
                openFiles.current?.();
              }}
            >
              {file ? 'Choose another file' : 'Choose a file'}
            </Button>
          </Dropzone>
        </>
      )}
      <Refused error={refused} />
    </section>
  );
}
