import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Shade 7 is the seal red of tokens.css, shade 8 its hover. */
const seal: MantineColorsTuple = [
  '#fdf4f1',
  '#fbede9',
  '#f6d5cc',
  '#eeb0a1',
  '#e48974',
  '#da654b',
  '#d14a2f',
  '#c8371f',
  '#a92c17',
  '#7f2011',
];

/** Warm greys between paper and ink, so that no cool grey of the component library shows. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f4f0e9',
  '#e8e3da',
  '#d9d2c6',
  '#c2bbae',
  '#a29b8f',
  '#6b665e',
  '#4d4943',
  '#33302c',
  '#1c1b19',
];

/** Styles of the dialogs, menus and inputs taken from Mantine. Colours and sizes come from tokens.css. */
export const theme = createTheme({
  colors: { seal, gray },
  primaryColor: 'seal',
  primaryShade: 7,
  black: '#1c1b19',
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font)', fontWeight: '800' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'var(--radius-card)',
        padding: 'var(--space-5)',
        closeButtonProps: { 'aria-label': '关闭' },
        overlayProps: { color: '#1c1b19', backgroundOpacity: 0.45 },
        transitionProps: { transition: 'fade-up', duration: 120, timingFunction: 'ease-out' },
      },
    },
    // A <header> in a portal is a second banner beside the site's own.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    InputWrapper: { styles: { label: { marginBottom: 6, fontSize: 14 } } },
    Input: { vars: () => ({ wrapper: { '--input-bd-focus': 'var(--mantine-color-gray-4)' } }) },
    Menu: {
      defaultProps: {
        radius: 'var(--radius-card)',
        shadow: 'var(--shadow-raised)',
        transitionProps: { duration: 120 },
      },
    },
    Popover: { defaultProps: { radius: 'var(--radius-card)', shadow: 'var(--shadow-raised)' } },
  },
});
