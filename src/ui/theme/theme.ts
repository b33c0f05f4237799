// Dunnock's face on Mantine: its scales and variables are pointed at the tokens, which also fixes the contrast of its defaults.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const lead: MantineColorsTuple = [
  '#f0f5f9',
  '#dfe9f2',
  '#bfd4e5',
  '#97b9d4',
  '#6c9ac0',
  '#4a7ea8',
  '#386b94',
  '#2b5a80',
  '#224866',
  '#18344b',
];
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ee',
  '#e8e5df',
  '#d5d0c8',
  '#c0bab0',
  '#9d968c',
  '#6e6860',
  '#5a554e',
  '#3b3733',
  '#211f1c',
];
const dark: MantineColorsTuple = [
  '#ebe8e3',
  '#d3cfc8',
  '#b1aba2',
  '#979087',
  '#423f3a',
  '#2d2b28',
  '#232120',
  '#1a1917',
  '#161513',
  '#131211',
];
const red: MantineColorsTuple = [
  '#fdf2f1',
  '#fbe4e1',
  '#f5c6c0',
  '#ee9f96',
  '#e27469',
  '#d2544a',
  '#b93d35',
  '#a02c25',
  '#80231d',
  '#5b1813',
];

const px = (n: number): string => `${n}px`;

/**
 * Where menus, lists of choices and tips are drawn: inside the screen's landmark, so that readers who go by landmarks find
 * them. Every frame of a page has it, `main id="screen"`; one without it would show no menus.
 */
const floating = { portalProps: { target: '#screen' } };

/** A label beside its box reads like any other text, and what explains it is never smaller than 12 px. */
const inline = {
  label: { fontSize: px(13) },
  description: { fontSize: px(12), marginTop: px(2), lineHeight: 1.45 },
};

/** The list itself scrolls, not a box within it, so that readers and keys know it for what the field opens. */
const choices = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: px(240), overflowY: 'auto' } },
};

export const theme = createTheme({
  colors: { lead, gray, dark, red },
  primaryColor: 'lead',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  fontSizes: { xs: px(12), sm: px(13), md: px(14), lg: px(16), xl: px(20) },
  spacing: { xs: px(8), sm: px(12), md: px(16), lg: px(24), xl: px(32) },
  radius: { xs: px(4), sm: px(6), md: px(6), lg: px(10), xl: px(14) },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain values: naming the components here would load all of them with the first screen.
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      styles: { root: { height: 'var(--control)', fontWeight: 500, paddingInline: px(12) } },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: {
      defaultProps: { size: 'sm' },
      styles: {
        label: { fontWeight: 500, marginBottom: px(4) },
        description: { marginBottom: px(6), fontSize: px(12) },
      },
    },
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' }, styles: inline },
    Switch: { defaultProps: { size: 'sm' }, styles: inline },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.35 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      defaultProps: {
        padding: 'lg',
        transitionProps: { duration: 140 },
        overlayProps: { backgroundOpacity: 0.3 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // Its hidden first stop for the focus is no child that a menu may have.
    Menu: {
      defaultProps: {
        ...floating,
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        transitionProps: { duration: 80 },
      },
    },
    Select: choices,
    MultiSelect: choices,
    Autocomplete: choices,
    TagsInput: choices,
    Popover: { defaultProps: { ...floating, shadow: 'md', transitionProps: { duration: 80 } } },
    Tooltip: {
      defaultProps: {
        ...floating,
        openDelay: 250,
        events: { hover: true, focus: true, touch: true },
        multiline: true,
        maw: 320,
        transitionProps: { duration: 80 },
      },
    },
  },
});

const shared = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-disabled': 'var(--mute-soft)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-lead-text': 'var(--accent)',
  '--mantine-color-lead-light': 'var(--accent-soft)',
  '--mantine-color-lead-light-color': 'var(--accent)',
  '--mantine-color-red-text': 'var(--bad)',
  '--mantine-color-red-light': 'var(--bad-soft)',
  '--mantine-color-red-light-color': 'var(--bad)',
  '--mantine-color-gray-text': 'var(--text-2)',
  '--mantine-color-gray-light': 'var(--mute-soft)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-shadow-md': 'var(--shadow-2)',
};

export const variables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
