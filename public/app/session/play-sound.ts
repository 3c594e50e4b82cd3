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

let audio: AudioContext | null = null;

/** Plays a sound. Before the first click or key on the page the browser plays nothing. */
export async function playSound(sound: Sound): Promise<void> {
  if (sound === "none") return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") await audio.resume();
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
