import { Type as t } from "@sinclair/typebox";
import type { Media, Operations } from "../operation.ts";

const TEXT: Media = { media: "text/plain", description: "In words" };

export const SITE: Operations = {
  "GET /healthz": {
    summary: "Whether the process lives",
    answers: { 200: t.Object({ status: t.String() }) },
  },
  "GET /readyz": {
    summary: "Whether it takes requests",
    answers: { 200: t.Object({ status: t.String() }) },
    errors: ["unavailable"],
  },
  "GET /metrics": {
    summary: "Metrics for Prometheus, on loopback or with `METRICS_TOKEN`",
    answers: { 200: TEXT },
    errors: ["forbidden"],
  },
  "GET /api/openapi.json": {
    summary: "This document",
    answers: { 200: t.Object({ openapi: t.String() }), 304: null },
  },
};
