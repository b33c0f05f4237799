// The sheet on which all screenshots are looked over: a row for each screen, its states and looks beside each other.

export type Shot = { route: string; state: string; look: string; file: string; note?: string };

const text = (words: string): string =>
  words.replace(/[&<>"]/g, (sign) => `&#${String(sign.codePointAt(0))};`);

export function sheet(shots: Shot[]): string {
  const routes = [...new Set(shots.map(({ route }) => route))];
  const rows = routes.map((route) => {
    const figures = shots
      .filter((shot) => shot.route === route)
      .map(
        ({ state, look, file, note }) =>
          `<figure><a href="${text(file)}"><img loading="lazy" src="${text(file)}" alt="${text(`${route}, ${state}, ${look}`)}"></a><figcaption>${text(`${state}, ${look}`)}${note ? ` <strong>${text(note)}</strong>` : ''}</figcaption></figure>`,
      );
    return `<section><h2>${text(route)}</h2><div>${figures.join('')}</div></section>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>
  body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; background: #ececec; color: #222 }
  h2 { font-size: 16px; margin: 32px 0 8px }
  section > div { display: flex; gap: 16px; overflow-x: auto; padding-bottom: 8px }
  figure { margin: 0; flex: none }
  img { height: 360px; width: auto; border: 1px solid #bbb; display: block }
  strong { color: #a00 }
</style>
<h1>${String(shots.length)} screenshots</h1>
${rows.join('\n')}
</html>
`;
}
