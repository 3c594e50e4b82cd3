import { limitWait } from "../connection/clock.ts";
import type { Sound } from "../../../src/wire/models.ts";

/** A tone: its start in seconds, its pitch in hertz, and its duration in seconds. */
type Tone = [start: number, hertz: number, seconds: number];

/** Soft synthesized sounds, so that nothing has to be loaded. */
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

/** `resume()` stays pending until the first click or key on the page. */
const RESUME_MS = 500;

let audio: AudioContext | null = null;

/**
 * Starts the browser's audio, even after a call or another app has interrupted it in Safari.
 * @returns null while the browser allows no sound, such as before the first click or key on the
 * page
 */
export async function startAudio(): Promise<AudioContext | null> {
  if (!("AudioContext" in globalThis)) return null;
  const context = openAudio();
  if (!context) return null;
  if (context.state !== "running") await limitWait(() => context.resume(), null, RESUME_MS);
  return (context.state as AudioContextState) === "running" ? context : null;
}

/** @returns null if the browser refuses, such as after a page has opened too many */
function openAudio(): AudioContext | null {
  try {
    audio ??= new AudioContext();
    return audio;
  } catch {
    return null;
  }
}

/** Plays a sound if the browser currently allows it. */
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
