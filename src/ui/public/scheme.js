// Sets light or dark and the density before the first paint, so that nothing flashes. A file of its own because the content
// policy admits no inline script; plain JavaScript because it runs before the build's modules.
(() => {
  const root = document.documentElement;
  let kept = null;
  let density = null;
  try {
    kept = localStorage.getItem('dunnock-scheme');
    density = localStorage.getItem('dunnock-density');
  } catch {
    // Storage is refused in some private windows: the system's choice exists.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  root.setAttribute('data-density', density === 'compact' ? 'compact' : 'comfortable');
})();
