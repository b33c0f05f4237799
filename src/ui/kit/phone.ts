// Whether there is room for two things beside each other.
export const onPhone = (): boolean => matchMedia('(max-width: 768px)').matches;
