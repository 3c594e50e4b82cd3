#!/usr/bin/python3
"""A WebKitGTK window of any size for WebKitWebDriver. MiniBrowser's is at least 447 px wide.

webkit-window.py <width> <height> <profile folder> <file with a script for each page>
"""
import ctypes
import signal
import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

# The driver starts this program and does not end it: PR_SET_PDEATHSIG of prctl(2).
ctypes.CDLL(None).prctl(1, signal.SIGTERM)

WIDTH, HEIGHT, PROFILE, SCRIPT = sys.argv[1:5]

data = WebKit2.WebsiteDataManager(base_data_directory=PROFILE, base_cache_directory=PROFILE)
context = WebKit2.WebContext.new_with_website_data_manager(data)
context.set_automation_allowed(True)
# What MiniBrowser does: pages are kept for Back and Forward, as in Safari.
context.set_cache_model(WebKit2.CacheModel.WEB_BROWSER)


def create_view(_session):
    content = WebKit2.UserContentManager()
    content.add_script(
        WebKit2.UserScript(
            Path(SCRIPT).read_text(),
            WebKit2.UserContentInjectedFrames.TOP_FRAME,
            WebKit2.UserScriptInjectionTime.START,
            None,
            None,
        )
    )
    settings = WebKit2.Settings(enable_page_cache=True)
    settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    view = WebKit2.WebView(
        web_context=context,
        settings=settings,
        user_content_manager=content,
        is_controlled_by_automation=True,
    )
    window = Gtk.Window(title="Snug in WebKit", decorated=False)
    window.set_default_size(int(WIDTH), int(HEIGHT))
    window.add(view)
    window.show_all()
    window.move(0, 0)
    window.resize(int(WIDTH), int(HEIGHT))
    view.grab_focus()
    return view


def on_started(_context, session):
    application = WebKit2.ApplicationInfo()
    application.set_name("MiniBrowser")
    version = WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()
    application.set_version(*version)
    session.set_application_info(application)
    session.connect("create-web-view", create_view)


context.connect("automation-started", on_started)
Gtk.main()
