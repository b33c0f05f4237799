// Fields that hold several texts, changed where they stand: tags, which may be made anew, and links, which can be opened.
import { X } from 'lucide-react';
import { useState } from 'react';
import { Label } from '../../../ui/kit/pills.tsx';
import fields from '../../work/screens/fields.module.css';
import { Finder } from '../../work/screens/finder.tsx';
import classes from './person.module.css';

type ListProps = { set: (next: string[]) => void };

export const Tags = ({ tags, set }: ListProps & { tags: string[] }) => (
  <Finder
    label="Tags"
    several
    chosen={tags}
    options={tags.map((tag) => ({ id: tag, word: tag, shown: <Label>{tag}</Label> }))}
    onPick={(tag) => set(tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag])}
    onMake={(tag) => set([...tags, tag.slice(0, 60)])}
    placeholder="Find or add"
  >
    {tags.length > 0 ? (
      tags.map((tag) => <Label key={tag}>{tag}</Label>)
    ) : (
      <span className={fields.none}>None</span>
    )}
  </Finder>
);

export function Links({ links, set }: ListProps & { links: string[] }) {
  const [text, setText] = useState('');
  const add = (): void => {
    const typed = text.trim();
    if (!typed) return;
    setText('');
    set([...links, /^https?:\/\//i.test(typed) ? typed : `https://${typed}`]);
  };
  return (
    <>
      {links.length > 0 && (
        <ul className={classes.links}>
          {links.map((link) => (
            <li key={link}>
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {link.replace(/^https?:\/\/(www\.)?/, '')}
              </a>
              <button
                type="button"
                className={fields.clear}
                aria-label={`Take ${link} away`}
                onClick={() => set(links.filter((one) => one !== link))}
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        className={fields.input}
        aria-label="Add a link"
        placeholder="Add a link"
        value={text}
        maxLength={500}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
    </>
  );
}
