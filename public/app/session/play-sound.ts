import { limitWait } from "../connection/clock.ts";
import type { Sound } from "../../../src/wire/models.ts";

/** Each tone: when it begins, in seconds, its pitch in hertz, and how fast it fades. */
type Tone = [start: number, hertz: number, seconds: number];

/** Calm sounds, made of few soft tones, so that nothing has to be loaded. */
const SOUNDS: Record<Exclude<Sound, "none">, Tone[]> = {
  drop: [
    [0, 880, 0.12],
    [0.07, 587, 0.25],
  ],
  chime: [
    [0, 659, 0.5],
    [0.12, 988, 0.7],
  ],
  knock: [
    [0, 196, 0.08],
    [0.14, 175, 0.1],
  ],
};
const VOLUME = 0.12;

/** `resume()` answers only after the first click or key on the page. */
const RESUME_MS = 500;

let audio: AudioContext | null = null;

/**
 * Starts the browser's audio, also after a call or another app has interrupted it in Safari.
 * @returns null while the browser plays nothing, as before the first click or key on the page
 */
export async function startAudio(): Promise<AudioContext | null> {
  if (!("AudioContext" in globalThis)) return null;
  const context = openAudio();
  if (!context) return null;
  if (context.state !== "running") await limitWait(() => context.resume(), null, RESUME_MS);
  return (context.state as AudioContextState) === "running" ? context : null;
}

/** @returns null where the browser refuses, as for a page that has opened too many */
function openAudio(): AudioContext | null {
  try {
    audio ??= new AudioContext();
    return audio;
  } catch {
    return null;
  }
}

/** Plays a sound, if the browser plays anything now. */
export async function playSound(sound: Sound): Promise<void> {
  if (sound === "none") return;
  const audio = await startAudio();
  if (!audio) return;
  const now = audio.currentTime;
  for (const [start, hertz, seconds] of SOUNDS[sound]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(VOLUME, now + start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + start + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + start);
    tone.stop(now + start + seconds);
  }
}
