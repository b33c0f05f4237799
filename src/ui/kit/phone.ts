// Whether this is a narrow screen, where panes take the whole width: asked once, or followed as the window changes.
import { useMediaQuery } from '@mantine/hooks';

const PHONE = '(max-width: 768px)';

export const onPhone = (): boolean => matchMedia(PHONE).matches;

export const useOnPhone = (): boolean =>
  useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
