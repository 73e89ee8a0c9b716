# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of ours is compiled with: the language, warnings as errors, Qt's strictness, sanitizers.
add_library(switchgear_standards INTERFACE)
add_library(sg::standards ALIAS switchgear_standards)
target_compile_features(switchgear_standards INTERFACE cxx_std_20)
target_compile_options(switchgear_standards INTERFACE
    -Wall -Wextra -Wpedantic -Werror -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
    -Winvalid-pch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's flow warnings see paths that cannot happen: string concatenation (GCC bug 105651), std::optional (80635).
    target_compile_options(switchgear_standards INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
        -Wno-maybe-uninitialized -Wshadow=local)
endif()
target_compile_definitions(switchgear_standards INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_CAST_FROM_BYTEARRAY
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_NO_FOREACH QT_NO_JAVA_STYLE_ITERATORS QT_STRICT_ITERATORS
    QT_NO_KEYWORDS QT_DISABLE_DEPRECATED_BEFORE=0x060400 QT_WARN_DEPRECATED_UP_TO=0x060400)
target_include_directories(switchgear_standards INTERFACE ${PROJECT_SOURCE_DIR})
target_include_directories(switchgear_standards SYSTEM INTERFACE ${EXPECTED_INCLUDE})
if(SWITCHGEAR_SANITIZE)
    target_compile_options(switchgear_standards INTERFACE -fsanitize=${SWITCHGEAR_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all)
    target_link_options(switchgear_standards INTERFACE -fsanitize=${SWITCHGEAR_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(switchgear_standards INTERFACE -Wno-tsan)
    endif()
endif()
if(SWITCHGEAR_FUZZ)
    # fuzzer-no-link counts which code was reached. The other presets judge warnings: clang's differ by its version.
    target_compile_options(switchgear_standards INTERFACE -fsanitize=fuzzer-no-link -Wno-error)
endif()
