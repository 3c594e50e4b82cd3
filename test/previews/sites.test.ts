import { describe, expect, test } from "bun:test";
import { readPageHead } from "../../src/previews/page-head.ts";
import { readPageText } from "../../src/previews/page-text.ts";

/**
 * Heads in the manner of the families of sites that people link to: what each writes, in its order
 * and with its habits, around what a preview takes from it.
 */
type Site = {
  url: string;
  html: string;
  title: string;
  description: string | null;
  siteName: string | null;
  image: string | null;
};

const SITES: Record<string, Site> = {
  "a forge of code": {
    url: "https://forge.example/acme/rocket",
    html: `<!DOCTYPE html>
<html lang="en" data-color-mode="auto">
  <head>
    <meta charset="utf-8">
  <link rel="dns-prefetch" href="https://assets.forge.example">
  <link crossorigin="anonymous" media="all" rel="stylesheet" href="https://assets.forge.example/light-1.css" />
  <script type="application/json" id="client-env">{"locale":"en","flags":["</x>","<title>no</title>"]}</script>
  <title>acme/rocket: It flies · Forge</title>
  <meta name="route-pattern" content="/:user_id/:repository">
  <meta name="description" content="It flies. Contribute to acme/rocket development by creating an account on Forge.">
  <meta name="twitter:image" content="https://opengraph.forge.example/1/acme/rocket" /><meta name="twitter:site" content="@forge" /><meta name="twitter:card" content="summary_large_image" /><meta name="twitter:title" content="acme/rocket: It flies" />
  <meta property="og:image" content="https://opengraph.forge.example/1/acme/rocket" /><meta property="og:image:alt" content="It flies." /><meta property="og:image:width" content="1200" /><meta property="og:site_name" content="Forge" /><meta property="og:type" content="object" /><meta property="og:title" content="acme/rocket: It flies" /><meta property="og:description" content="It flies. Contribute to acme/rocket development by creating an account on Forge." />
  </head><body class="logged-out">`,
    title: "acme/rocket: It flies",
    description: "It flies. Contribute to acme/rocket development by creating an account on Forge.",
    siteName: "Forge",
    image: "https://opengraph.forge.example/1/acme/rocket",
  },
  "a site of videos, with scripts before all else": {
    url: "https://video.example/watch?v=abc",
    html: `<!DOCTYPE html><html style="font-size: 10px" lang="de-DE" system-icons typography><head><meta http-equiv="origin-trial" content="x"/><script data-id="_gd" nonce="n">window.ytcfg={a:"<meta property=\\"og:title\\" content=\\"no\\">"};${"var x=1;".repeat(2_000)}</script><script nonce="n">if (a < b && c > d) {}</script><style name="www-roboto">@font-face{}</style><title>A song - Video</title><meta name="title" content="A song"><meta name="description" content="Official video &amp; more"><meta property="og:site_name" content="Video"><meta property="og:url" content="https://video.example/watch?v=abc"><meta property="og:title" content="A song"><meta property="og:image" content="https://i.video.example/vi/abc/hqdefault.jpg"><meta property="og:image:width" content="480"><meta property="og:description" content="Official video &amp; more"><meta property="og:video:url" content="https://video.example/embed/abc"></head>`,
    title: "A song",
    description: "Official video & more",
    siteName: "Video",
    image: "https://i.video.example/vi/abc/hqdefault.jpg",
  },
  "an encyclopedia": {
    url: "https://en.encyclopedia.example/wiki/Ada",
    html: `<!DOCTYPE html>
<html class="client-nojs vector-feature-language" lang="en" dir="ltr">
<head>
<meta charset="UTF-8">
<title>Ada Lovelace - Encyclopedia</title>
<script>(function(){var className="client-js";}());RLCONF={"wgTitle":"Ada"};</script>
<link rel="stylesheet" href="/w/load.php?lang=en&amp;modules=ext.cite.styles%7Cext.x&amp;only=styles&amp;skin=vector-2022">
<meta name="generator" content="MediaWiki 1.46">
<meta name="referrer" content="origin-when-cross-origin">
<meta property="og:image" content="https://upload.encyclopedia.example/thumb/a/a4/Ada_portrait.jpg/1200px-Ada_portrait.jpg">
<meta property="og:image:width" content="1200">
<meta property="og:image" content="https://upload.encyclopedia.example/thumb/a/a4/Ada_portrait.jpg/800px-Ada_portrait.jpg">
<meta name="viewport" content="width=1120">
<meta property="og:title" content="Ada Lovelace - Encyclopedia">
<meta property="og:type" content="website">
</head>`,
    title: "Ada Lovelace - Encyclopedia",
    description: null,
    siteName: null,
    image:
      "https://upload.encyclopedia.example/thumb/a/a4/Ada_portrait.jpg/1200px-Ada_portrait.jpg",
  },
  "questions and answers, with names for Twitter only in part": {
    url: "https://questions.example/questions/1/how",
    html: `<!DOCTYPE html>
    <html itemscope itemtype="https://schema.org/QAPage" class="html__responsive">
    <head>
        <title>c++ - Why is &lt;vector&gt; fast? - Questions</title>
        <link rel="shortcut icon" href="https://cdn.example/favicon.ico?v=1">
        <meta name="twitter:card" content="summary"/>
        <meta property="og:type" content= "website" />
        <meta property="og:url" content="https://questions.example/questions/1/how"/>
        <meta property="og:site_name" content="Questions" />
        <meta property="og:image" itemprop="image primaryImageOfPage" content="//cdn.example/img/icon@2.png" />
        <meta name="twitter:title" property="og:title" itemprop="name" content="Why is &lt;vector&gt; fast?" />
        <meta name="twitter:description" property="og:description" itemprop="description" content="Here is a piece of code:
#include &lt;vector&gt;

int main()" />
    </head>`,
    title: "Why is <vector> fast?",
    description: "Here is a piece of code: #include <vector> int main()",
    siteName: "Questions",
    image: "https://cdn.example/img/icon@2.png",
  },
  "a newspaper, rendered by a framework": {
    url: "https://paper.example/2026/11/20/world/story.html",
    html: `<!DOCTYPE html><html lang="en" class="story nytapp-vi-article" xmlns:og="http://opengraphprotocol.org/schema/"><head><meta charset="utf-8"/><title data-rh="true">A Story - The Paper</title><meta data-rh="true" name="robots" content="noarchive, max-image-preview:large"/><meta data-rh="true" name="description" content="What happened."/><meta data-rh="true" property="twitter:url" content="https://paper.example/x"/><meta data-rh="true" property="twitter:title" content="A Story"/><meta data-rh="true" property="twitter:image" content="https://static.paper.example/twitter.jpg?year=2026&amp;h=549"/><meta data-rh="true" property="og:title" content="A Story (Published 2026)"/><meta data-rh="true" property="og:image" content="https://static.paper.example/facebook.jpg?year=2026&amp;h=549&amp;s=1"/><meta data-rh="true" property="og:description" content="What happened — and why it matters."/></head>`,
    title: "A Story (Published 2026)",
    description: "What happened — and why it matters.",
    siteName: null,
    image: "https://static.paper.example/facebook.jpg?year=2026&h=549&s=1",
  },
  "a blog of WordPress with a plugin": {
    url: "https://blog.example/2026/a-post/",
    html: `<!doctype html>
<html lang="en-US" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="UTF-8">
<!-- This site is optimized with the Plugin <meta property="og:title" content="no"> -->
<title>A Post &#8211; It&#8217;s a Blog</title>
<meta property="og:locale" content="en_US" />
<meta property="og:title" content="A Post &#8211; It&#8217;s a Blog" />
<meta property="og:description" content="An excerpt [&hellip;]" />
<meta property="og:site_name" content="It&#039;s a Blog" />
<meta property="og:image" content="http://blog.example/wp-content/uploads/2026/11/a-1024x683.jpg" />
<meta property="og:image:secure_url" content="https://blog.example/wp-content/uploads/2026/11/a-1024x683.jpg" />
<script type="application/ld+json">{"@context":"https://schema.org"}</script>
<noscript><img height="1" width="1" style="display:none" src="https://track.example/?a=1"/></noscript>
</head>`,
    title: "A Post – It’s a Blog",
    description: "An excerpt […]",
    siteName: "It's a Blog",
    image: "https://blog.example/wp-content/uploads/2026/11/a-1024x683.jpg",
  },
  "a shop without Open Graph": {
    url: "https://shop.example/dp/1",
    html: `<!doctype html><html lang="de-de" class="a-no-js" data-19ax5a9jf="dingo"><!-- sp:feature:head-start --><head><script>var aPageStart = (new Date()).getTime();</script><meta charset="utf-8"/>
<!-- sp:end-feature:head-start -->
<meta name="description" content="Kaffeemühle mit Mahlwerk : Shop.de: Küche"/><meta name="title" content="Kaffeemühle"/><title>Kaffeemühle mit Mahlwerk : Shop.de: Küche</title><link rel="canonical" href="https://shop.example/dp/1"/></head>`,
    title: "Kaffeemühle mit Mahlwerk : Shop.de: Küche",
    description: "Kaffeemühle mit Mahlwerk : Shop.de: Küche",
    siteName: null,
    image: null,
  },
  "short messages, where the head is an app's": {
    url: "https://short.example/@ada/1",
    html: `<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><meta content='width=device-width, initial-scale=1' name='viewport'><link href='/manifest' rel='manifest'><meta content='#181820' name='theme-color'><title>Ada: &quot;Good morning 🌞&quot; - Short</title><meta content='noindex, noarchive' name='robots'><meta content="Short" property="og:site_name"><meta content="article" property="og:type"><meta content="Ada (@ada@short.example)" property="og:title"><meta content='Good morning 🌞

It is a fine day' name='description'><meta content="Good morning 🌞

It is a fine day" property="og:description"><meta content="https://files.short.example/accounts/avatars/1.png" property="og:image"><meta content='summary' property='twitter:card'></head>`,
    title: "Ada (@ada@short.example)",
    description: "Good morning 🌞 It is a fine day",
    siteName: "Short",
    image: "https://files.short.example/accounts/avatars/1.png",
  },
  "a forum": {
    url: "https://forum.example/t/topic/1",
    html: `<!DOCTYPE html>
<html lang="en" class="desktop-view not-mobile-device anon">
  <head>
    <meta charset="utf-8">
    <title>A topic - Category - Forum</title>
    <meta name="description" content="First post of the topic.">
    <meta name="generator" content="Discourse 3.6">
    <link rel="icon" type="image/png" href="https://forum.example/icon.png">
    <meta property="og:site_name" content="Forum" />
<meta property="og:type" content="website" />
<meta name="twitter:card" content="summary" />
<meta property="og:image" content="/uploads/default/original/1X/logo.png" />
<meta property="og:url" content="https://forum.example/t/topic/1" />
<meta property="og:title" content="A topic" />
<meta name="twitter:title" content="A topic" />
<meta property="og:description" content="First post of the topic." />
  </head>`,
    title: "A topic",
    description: "First post of the topic.",
    siteName: "Forum",
    image: "https://forum.example/uploads/default/original/1X/logo.png",
  },
  "documentation, with a template's stray tags in its head": {
    url: "https://docs.example/en/latest/guide/",
    html: `<!doctype html>
<html class="no-js" lang="en" data-content_root="../">
  <head><meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width,initial-scale=1"/><div hidden>build 1</div>
    <link rel="index" title="Index" href="../genindex.html" />
    <!-- Generated with Sphinx 9 and Furo -->
        <title>Guide - Project 2.0 documentation</title>
      <style>body { --color-code-background: #f8f8f8; }</style>
  <meta property="og:title" content="Guide" />
  <meta property="og:site_name" content="Project" />
</head>`,
    title: "Guide",
    description: null,
    siteName: "Project",
    image: null,
  },
  "an old page in capitals, without a head's end": {
    url: "http://www.uni.example/~prof/index.htm",
    html: `<HTML><HEAD><TITLE>Homepage of Prof. X</TITLE>
<META NAME="Description" CONTENT="Papers and slides">
<BODY BGCOLOR="#FFFFFF"><H1>Welcome</H1><META NAME="og:title" CONTENT="Prof. X">`,
    title: "Prof. X",
    description: "Papers and slides",
    siteName: null,
    image: null,
  },
  "a page that a static generator has made as small as it goes": {
    url: "https://small.example/p",
    html: `<!doctype html><html lang=en><meta charset=utf-8><title>Small</title><meta name=description content="As small as it goes"><meta property=og:image content=/i.png><meta name=application-name content=Smallest><link rel=stylesheet href=/s.css><p>Hello`,
    title: "Small",
    description: "As small as it goes",
    siteName: "Smallest",
    image: "https://small.example/i.png",
  },
};

describe("the preview of", () => {
  test.each(Object.entries(SITES))("%s", async (_, site) => {
    async function* body() {
      yield Buffer.from(site.html);
      yield Buffer.from("<p>x".repeat(131_072));
    }
    const head = readPageHead(await readPageText(body(), null), new URL(site.url));
    const { url: _url, html: _html, image, ...said } = site;
    expect({ ...head, imageUrls: head.imageUrls.slice(0, 1).map(({ href }) => href) }).toEqual({
      ...said,
      imageUrls: image === null ? [] : [image],
    });
  });
});
