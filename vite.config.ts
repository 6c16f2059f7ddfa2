import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  publicDir: 'public',
  build: { target: 'es2022', sourcemap: false },
  // Mantine ships ES modules whose styles are separate files: bundled into the server build they need no resolving at run time.
  ssr: { noExternal: [/^@mantine\//] },
});
