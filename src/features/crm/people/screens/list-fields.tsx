// Fields that hold several texts, changed where they exist: tags, which may be made again, and links, which can be opened.
import { X } from 'lucide-react';
import { useDraft } from '../../../../ui/kit/draft.ts';
import { Label } from '../../../../ui/kit/pills.tsx';
import fields from '../../../../ui/kit/fields.module.css';
import { Finder } from '../../../../ui/kit/finder.tsx';
import classes from './person.module.css';

type ListProps = { set: (next: string[]) => Promise<boolean> };

export const Tags = ({ tags, set }: ListProps & { tags: string[] }) => (
  <Finder
    label="Tags"
    several
    chosen={tags}
    options={tags.map((tag) => ({ id: tag, word: tag, shown: <Label>{tag}</Label> }))}
    onPick={(tag) => void set(tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag])}
    onMake={(tag) => void set([...tags, tag.slice(0, 60)])}
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
  // What was refused stays to be fixed; what was saved is above, and the field is empty again.
  const { input } = useDraft('', async (typed) => {
    const link = typed.trim();
    return link === '' || set([...links, /^https?:\/\//i.test(link) ? link : `https://${link}`]);
  });
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
                aria-label={`Remove ${link}`}
                onClick={() => void set(links.filter((one) => one !== link))}
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
        maxLength={500}
        {...input}
      />
    </>
  );
}
