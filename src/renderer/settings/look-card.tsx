import { Segments } from '../parts/segments.tsx';
import { setPreferences, usePreferences } from '../state/preferences.ts';

const themeWords = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['contrast', 'High contrast'],
] as const;
const densityWords = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;

export function LookCard() {
  const { theme, density } = usePreferences();
  return (
    <section className="card stack" aria-labelledby="look-title">
      <h2 id="look-title">Look</h2>
      <div className="setting">
        <span>Theme</span>
        <Segments
          label="Theme"
          value={theme}
          options={themeWords}
          onChange={(next) => setPreferences({ theme: next })}
        />
      </div>
      <div className="setting">
        <span>Spacing</span>
        <Segments
          label="Spacing"
          value={density}
          options={densityWords}
          onChange={(next) => setPreferences({ density: next })}
        />
      </div>
    </section>
  );
}
