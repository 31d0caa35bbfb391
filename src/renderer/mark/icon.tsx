/** The few line drawings the frame needs, on a 20 px grid with 1.5 px strokes. */
const paths = {
  home: 'M3.5 9 10 3.5 16.5 9M5 8v8h10V8M8.5 16v-4h3v4',
  chat: 'M3.5 5.5a1.5 1.5 0 0 1 1.5-1.5h10a1.5 1.5 0 0 1 1.5 1.5v6.5a1.5 1.5 0 0 1-1.5 1.5H9l-3.5 3v-3H5A1.5 1.5 0 0 1 3.5 12zM7 7.5h6M7 10h4',
  agents:
    'M3 9.2 7 6l4 3.2M7 12.2a1.9 1.9 0 1 0 0 .01M12 7.5l2-1.6 3.2 2.6M14 13a1.7 1.7 0 1 0 0 .01M3.5 16.8h13',
  settings: 'M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4v4M7.5 12v4',
  lock: 'M5.5 9h9v7.5h-9zM7.2 9V6.8a2.8 2.8 0 0 1 5.6 0V9',
  search: 'M8.7 14a5.3 5.3 0 1 0 0-10.6 5.3 5.3 0 0 0 0 10.6zM12.6 12.6l4 4',
  plus: 'M10 4v12M4 10h12',
  back: 'M11.5 4.5 6 10l5.5 5.5M6.3 10H16',
  close: 'M5 5l10 10M15 5 5 15',
  send: 'M4 10 16 4.5 12.5 16l-3-4.5zM9.5 11.5 16 4.5',
  thread: 'M4 4.5v6a2 2 0 0 0 2 2h9.5M12.5 9.5l3 3-3 3',
  people:
    'M7.5 9a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 7.5 9zM2.8 16c0-2.7 2-4.4 4.7-4.4s4.7 1.7 4.7 4.4M13 8.8a2.2 2.2 0 1 0-.6-4.3M14 11.7c2 .3 3.3 1.8 3.3 4.1',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  eye: 'M2.5 10s2.8-5 7.5-5 7.5 5 7.5 5-2.8 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  server: 'M4 4.5h12v4.5H4zM4 11h12v4.5H4zM6.5 6.8h.01M6.5 13.3h.01',
  warning: 'M10 3.8 17.2 16H2.8zM10 8.5v3.6M10 14.2h.01',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  pause: 'M7 5v10M13 5v10',
  play: 'M6.5 4.5v11L15 10z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
