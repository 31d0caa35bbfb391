/** One short sound of two tones, synthesised, so that no file has to be loaded. */
const tones = [
  { hertz: 660, fromS: 0 },
  { hertz: 880, fromS: 0.09 },
] as const;
const toneS = 0.16;
const loudness = 0.08;

let context: AudioContext | null = null;

/** Silent if the browser allows no sound before the first click. */
export function playSound(): void {
  context ??= new AudioContext();
  const audio = context;
  if (audio.state === 'suspended') void audio.resume();
  for (const { hertz, fromS } of tones) {
    const from = audio.currentTime + fromS;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(loudness, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + toneS);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + toneS);
  }
}
