// What holds for every row of a file: what becomes of people who are here already, where the list is from, and on which basis.
import { NativeSelect, Radio, TagsInput, TextInput } from '@mantine/core';
import { BASIS, type Basis } from '../../people/screens/shared.ts';
import { say, type ImportSaid } from './wizard.ts';
import { ON_DUPLICATE_SAYS, type OnDuplicate } from './words.ts';
import classes from './imports.module.css';

export const Options = ({ said, errors }: { said: ImportSaid; errors: Record<string, string> }) => (
  <div className={classes.options}>
    <h3>For every row</h3>
    <Radio.Group
      label="If a person already exists"
      value={said.on_duplicate}
      onChange={(value) => say({ on_duplicate: value as OnDuplicate })}
    >
      <div className={classes.radios}>
        {Object.entries(ON_DUPLICATE_SAYS).map(([value, { title, says }]) => (
          <Radio key={value} size="xs" value={value} label={title} description={says} />
        ))}
      </div>
    </Radio.Group>
    <TextInput
      label="Source"
      description="Where the list came from, such as a trade fair. A column in the file takes precedence."
      maxLength={120}
      value={said.source}
      error={errors['source']}
      onChange={(event) => say({ source: event.currentTarget.value })}
    />
    <NativeSelect
      label="Basis"
      description="Your legal basis for contacting them, if the file doesn’t state one."
      value={said.basis}
      onChange={(event) => say({ basis: event.currentTarget.value as Basis | '' })}
      data={[
        { value: '', label: 'Not set' },
        ...Object.entries(BASIS).map(([value, label]) => ({ value, label })),
      ]}
    />
    <TagsInput
      label="Tags"
      description="Applied to everyone created or updated."
      placeholder={said.tags.length > 0 ? '' : 'Type a tag, then press Enter'}
      maxTags={20}
      splitChars={[',', ';']}
      value={said.tags}
      error={errors['tags']}
      onChange={(tags) => say({ tags: tags.map((tag) => tag.trim().slice(0, 60)).filter(Boolean) })}
    />
  </div>
);
